// What `tools/kernels.ts` makes: modules of plans. They are built, not kept in the repository.
declare module '*.made.js' {
  export const recipe: import('./recipe.ts').Recipe
}
