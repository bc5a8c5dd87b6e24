export { coloured, plain, width, type Paint } from './paint.ts'
export { paragraph, table, wrap, type Column, type TableOptions } from './table.ts'
export { occupancyJson, occupancyLines, type OccupancyJson } from './occupancy.ts'
export * from './words.ts'
