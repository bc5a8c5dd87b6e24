// What `tools/kernels.ts` makes: modules of plans. They are built, not kept in the repository.
declare module '*.made.js' {
  export const packed: import('./recipe.ts').PackedRecipe
  export const recipe: import('./device/prepared-launches.ts').Recipe
}
