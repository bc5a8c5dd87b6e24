export { parseC, type COptions } from './frontend.ts'
export { loadParser, type ParserFiles } from './text/parse.ts'
