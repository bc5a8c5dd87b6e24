export { cLowering, fileToC, functionToC, offeredFunctions, parseC, settle, type COptions } from './frontend.ts'
export { tailCalls } from './c-to-c/tail-calls.ts'
export { loadParser, type ParserFiles } from './text/parse.ts'
