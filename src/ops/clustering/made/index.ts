// Operations made by Tesela from clustering.c. Not written by hand: change that and build again.
export { nearestCentre, type NearestCentreArguments, type NearestCentreResults } from './nearestCentre.js'
