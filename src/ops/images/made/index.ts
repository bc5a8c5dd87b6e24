// Operations made by Tesela from images.c. Not written by hand: change that and build again.
export { rgbToGray, type RgbToGrayArguments, type RgbToGrayResults } from './rgbToGray.js'
export { boxBlur3, type BoxBlur3Arguments, type BoxBlur3Results } from './boxBlur3.js'
export { upsample2, type Upsample2Arguments, type Upsample2Results } from './upsample2.js'
export { rgbToYuv, type RgbToYuvArguments, type RgbToYuvResults } from './rgbToYuv.js'
export { yuvToRgb, type YuvToRgbArguments, type YuvToRgbResults } from './yuvToRgb.js'
export { normalizeChannels, type NormalizeChannelsArguments, type NormalizeChannelsResults } from './normalizeChannels.js'
