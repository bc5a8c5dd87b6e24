// Loaded before a command line that runs on SwiftShader: shaders clear their workgroup arrays in loops, as those of
// `dawn.ts` do.
import { register } from 'node:module'

const toggle = 'use_vulkan_zero_initialize_workgroup_memory_extension'

/** Stands in for the package `webgpu`. */
const standIn = `
  import * as dawn from 'webgpu'
  export const globals = dawn.globals
  const prefix = 'disable-dawn-features='
  export const create = (options) => {
    const off = options.filter((o) => o.startsWith(prefix)).flatMap((o) => o.slice(prefix.length).split(','))
    return dawn.create([...options.filter((o) => !o.startsWith(prefix)), prefix + [...off, '${toggle}'].join()])
  }`

const hooks = `
  const name = 'tesela:webgpu', source = ${JSON.stringify(standIn)}
  let real
  export const resolve = async (specifier, context, next) => {
    if (specifier !== 'webgpu') return next(specifier, context)
    if (context.parentURL === name) return { url: real, shortCircuit: true }
    real = (await next(specifier, context)).url
    return { url: name, shortCircuit: true }
  }
  export const load = (url, context, next) => (url === name ? { format: 'module', source, shortCircuit: true } : \
next(url, context))`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
