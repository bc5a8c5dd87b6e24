// Operations made by Tesela from geometry.c. Not written by hand: change that and build again.
export { distances, type DistancesArguments, type DistancesResults } from './distances.js'
export { manhattanDistances, type ManhattanDistancesArguments, type ManhattanDistancesResults } from './manhattanDistances.js'
export { cosineSimilarity, type CosineSimilarityArguments, type CosineSimilarityResults } from './cosineSimilarity.js'
