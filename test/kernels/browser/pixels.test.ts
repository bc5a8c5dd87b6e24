// Images of a page in Chromium: bitmaps (also of video frames), canvases and image elements in, `ImageData` and
// textures out.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type * as Tesela from '../../../src/kernels.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { bundle } from './bundle.ts'

let browser: Browser, page: Page, problems: string[]
beforeAll(async () => {
  browser = await openBrowser()
  const opened = await openPage(browser, await bundle(`export { open } from 'tesela/kernels'`))
  page = opened.page
  problems = opened.problems
}, 120_000)
afterAll(() => browser?.close())

test('bitmaps, canvases and images give the same numbers, and a canvas draws them again', async () => {
  const got = await page.evaluate(async () => {
    const { open } = (globalThis as unknown as { loaded: typeof Tesela }).loaded // set by the page
    const gpu = await open({ store: null })
    const [width, height] = [7, 5]
    const data = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : (i * 37) % 256))
    const image = new ImageData(data, width, height)
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')!.putImageData(image, 0, 0)
    const element = Object.assign(document.createElement('canvas'), { width, height })
    element.getContext('2d')!.putImageData(image, 0, 0)
    const bitmap = await createImageBitmap(image),
      frame = new VideoFrame(element, { timestamp: 0 })
    const loaded = new Image()
    loaded.src = element.toDataURL()
    await loaded.decode()
    const sources = { image, bitmap, canvas, element, loaded, frame: await createImageBitmap(frame) }
    const read: Record<string, number[]> = {}
    for (const [name, source] of Object.entries(sources))
      read[name] = [...(await gpu.fromPixels(source, { channels: 4, layout: 'nhwc' }).read())].map((v) => v * 255)
    bitmap.close()
    const refusals: string[] = []
    for (const source of [frame as never, bitmap, new Image()])
      try {
        gpu.fromPixels(source)
      } catch (e) {
        refusals.push((e as Error).message.split(' [')[0]!)
      }
    const drawn = element.getContext('2d')!
    const t = gpu.fromPixels(canvas),
      result = await gpu.toImageData(gpu.map('1 - t', { t }))
    drawn.putImageData(result, 0, 0)
    const shown = [...drawn.getImageData(0, 0, width, height).data]
    const texture = gpu.core.device.createTexture({ size: [width, height], format: 'bgra8unorm', usage: 1 | 2 })
    gpu.toPixels(t, texture)
    const back = [...(await gpu.toImageData(gpu.fromPixels(texture))).data]
    gpu.dispose()
    return { data: [...data], read, shown, back, isImageData: result instanceof ImageData, refusals }
  })
  for (const [name, numbers] of Object.entries(got.read))
    expect(Math.max(...numbers.map((v, i) => Math.abs(v - got.data[i]!))), name).toBeLessThan(1e-3)
  expect(Object.keys(got.read)).toHaveLength(6)
  expect(got.shown).toEqual(got.data.map((b, i) => (i % 4 === 3 ? 255 : 255 - b)))
  expect(got.back).toEqual(got.data)
  expect(got.isImageData).toBe(true)
  expect(got.refusals).toEqual([
    'pixels of a VideoFrame are not copied as they are',
    'an ImageBitmap of 0 × 0 has no pixels',
    'a HTMLImageElement of 0 × 0 has no pixels',
  ])
  expect(problems).toEqual([])
}, 60_000)
