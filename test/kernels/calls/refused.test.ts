// Calls with a mistake, one a line, and the sentence that names it: as plain JavaScript makes them, where no compiler
// looks. Random ones are in calls.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, TeselaError, type Gpu, type Tensor } from '../../../src/kernels/index.ts'
import { openSoftware } from '../language.ts'

let gpu: Gpu, x: Tensor, image: Tensor, whole: Tensor
beforeAll(async () => {
  gpu = await openSoftware()
  x = gpu.tensor([1, 2, 3, 4, 5, 6], [2, 3])
  image = gpu.fill([1, 1, 5, 5], 1)
  whole = gpu.tensor(new Int32Array([1, 2, 3]))
})
afterAll(() => gpu.dispose())

// biome-ignore lint/suspicious/noExplicitAny: what plain JavaScript sees
type Loose = any

const refused: Readonly<Record<string, (g: Loose) => unknown>> = {
  "sum has no option 'axs' [sum.options]\n  hint: did you mean 'axes'?": (g) => g.sum(x, { axs: 0 }),
  "sum has no option 'dim' [sum.options]\n  hint: did you mean 'axis'?": (g) => g.sum(x, { dim: 0 }),
  "sum has no option 'keepdims' [sum.options]\n  hint: did you mean 'keep'?": (g) =>
    g.sum(x, { axis: 0, keepdims: true }),
  "sum has no option 'constructor' [sum.options]\n  hint: there are axes, axis, keep": (g) =>
    g.sum(x, { constructor: 1 }),
  "matmul has no option 'transpose_b' [matmul.options]\n  hint: did you mean 'transposeB'?": (g) =>
    g.matmul(x, x, { transpose_b: true }),
  "expression 'x ** 2', column 4: '*' stands where a value is needed [expression]\n  hint: powers are pow(x, y)": (g) =>
    g.map('x ** 2', { x }),
  "expression 'Math.sqrt(x)', column 5: '.' means nothing here [expression]\n  hint: functions stand alone": (g) =>
    g.map('Math.sqrt(x)', { x }),
  "expression 'x and x', column 3: 'and' is too much [expression]\n  hint: '&&'": (g) => g.map('x and x', { x }),
  "expression 'x * PI', column 5: nothing is called 'PI'; there are x [expression]\n  hint: give it as an operand": (
    g,
  ) => g.map('x * PI', { x }),
  '[-1, -1] leaves several extents open [tensor.shape]\n  hint: one may be −1': (g) => g.tensor([1]).reshape([-1, -1]),
  "operators do not compute with tensors [tensor.arithmetic]\n  hint: gpu.map('a + b', { a, b })": (g) =>
    g.tensor([1]) + g.tensor([2]),
  "sum is given both 'axis' and 'axes' [reduce.axes]": (g) => g.sum(x, { axis: 0, axes: 1 }),
  "an axis of sum is an integer, not '0' [reduce.axes]": (g) => g.sum(x, { axis: '0' }),
  'an axis of max is an integer, not null [reduce.axes]': (g) => g.max(x, { axes: null }),
  'argmax goes along one axis, not along 2 [argmax.axis]': (g) => g.argmax(x, { axes: [0, 1] }),
  "'keep' of mean is true or false, not 1 [mean.options]": (g) => g.mean(x, { keep: 1 }),
  "sum takes a tensor as 'x', not undefined [tensor.kind]": (g) => g.sum(),
  "sum takes a tensor as 'x', not a Float32Array [tensor.kind]": (g) => g.sum(new Float32Array(3)),
  'the options of sum are an object, not 0 [sum.options]': (g) => g.sum(x, 0),
  "scan knows no op 'plus' [scan.op]\n  hint: it is one of sum, product, min, max": (g) => g.scan(x, { op: 'plus' }),
  "scan knows no op 'summ' [scan.op]\n  hint: did you mean 'sum'?": (g) => g.scan(x, { op: 'summ' }),
  "matmul has no option 'transposeX' [matmul.options]\n  hint: did you mean 'transposeA'?": (g) =>
    g.matmul(x, x, { transposeX: true }),
  "'transposeB' of matmul is true or false, not 'yes' [matmul.options]": (g) => g.matmul(x, x, { transposeB: 'yes' }),
  "'alpha' of matmul is a number, not '2' [matmul.options]": (g) => g.matmul(x, x, { transposeB: true, alpha: '2' }),
  "matmul takes a tensor as 'bias', not an array [tensor.kind]": (g) =>
    g.matmul(x, x, { transposeB: true, bias: [1, 2] }),
  "there is no activation 'Relu' [activation]\n  hint: did you mean 'relu'?": (g) =>
    g.matmul(x, x, { transposeB: true, activation: 'Relu' }),
  'an activation is a name or an expression, not null [activation]': (g) =>
    g.matmul(x, x, { transposeB: true, activation: null }),
  "conv2d has no option 'pad' [conv2d.options]": (g) => g.conv2d(image, image, { pad: 1 }),
  "'padding' of conv2d is an integer from 0 or two of them, or 'same', not 'valid' [conv2d.options]": (g) =>
    g.conv2d(image, image, { padding: 'valid' }),
  "'stride' of conv2d is an integer from 1 or two of them, not [1] [conv2d.options]": (g) =>
    g.conv2d(image, image, { stride: [1] }),
  "'stride' of conv1d is a number, not an array [conv1d.options]": (g) =>
    g.conv1d(g.fill([1, 1, 5], 1), g.fill([1, 1, 3], 1), { stride: [1, 2] }),
  "conv2d knows no layout 'nwhc' [conv2d.layout]\n  hint: did you mean 'nhwc'?": (g) =>
    g.conv2d(image, image, { layout: 'nwhc' }),
  'an expression is a text, not a function [expression]': (g) => g.map(() => 1, { x }),
  'the operands of map are an object, not a Tensor [map.operands]': (g) => g.map('x', x),
  "map takes a tensor as 'y', not null [tensor.kind]": (g) => g.map('x + y', { x, y: null }),
  'the value of fill is a number, not undefined [fill.value]': (g) => g.fill([2]),
  'a shape is a list of extents, not 5 [tensor.shape]\n  hint: for instance [2, 3]': (g) => g.fill(5, 1),
  'the order of transpose is a list of axes, not 1 [transpose.order]': (g) => g.transpose(x, 1),
  "cast knows no dtype 'f64' [cast.dtype]": (g) => g.cast(x, 'f64'),
  "tensor knows no dtype 'float32' [tensor.dtype]": (g) => g.tensor([1], [1], 'float32'),
  'a tensor is made of numbers or of a GPUBuffer, not of an ArrayBuffer [tensor.source]': (g) =>
    g.tensor(new ArrayBuffer(8)),
  'a tensor is made of numbers, all in one list, and element 1 is undefined [tensor.dtype]': (g) =>
    g.tensor([1, undefined]),
  'a histogram has 1 to 16777216 bins, not undefined [histogram.bins]': (g) => g.histogram(whole, {}),
  "nmf has no option 'k' [nmf.options]": (g) => g.nmf(x, { k: 2 }),
  'a model is the text that svm-train writes, not 3 [svm.model]': (g) => g.svm(3),
}

test.each(Object.keys(refused))('%s', (message) => {
  let error: unknown
  try {
    refused[message]!(gpu)
  } catch (e) {
    error = e
  }
  expect(error).toBeInstanceOf(TeselaError)
  expect((error as Error).message).toContain(message)
})

test.each([
  ["open has no option 'tunning' [open.options]\n  hint: did you mean 'tuning'?", { tunning: 'nvidia' }],
  ["open knows no tuning 'fast' [open.tuning]", { tuning: 'fast' }],
  ["'device' of open is what WebGPU gives, not an object [open.options]", { device: {} }],
  ["'keepBytes' of open is a number, not '1 GiB' [open.options]", { keepBytes: '1 GiB' }],
])('%s', async (message, options) => {
  await expect(open(options as never)).rejects.toThrow(message)
})

test('an axis has two names', async () => {
  const list = async (t: Tensor): Promise<number[]> => [...(await t.read())]
  for (const name of ['sum', 'max', 'mean', 'argmin', 'scan'] as const) {
    const of = (options: object): Promise<number[]> => list((gpu as Loose)[name](x, options))
    expect(await of({ axis: 0 })).toEqual(await of({ axes: 0 }))
    expect(await of({ axis: [1] })).toEqual(await of({ axes: 1 }))
  }
})
