// What to do about calls of functions that are not here: a hint by the kind of function that the name says.

import { anyOf, oneOfNames } from '../../../base/index.ts'

/** Functions on files, streams and text, and on the process. */
const inputAndOutput = oneOfNames(`
  scanf fscanf sscanf getchar fgetc gets fgets getline fopen fclose fread fwrite fseek ftell read write open close
  sprintf snprintf getenv system`)

/** Functions of math.h that are known for no type. */
const missingMath = oneOfNames(`
  (tgamma|lgamma|j[01n]|y[01n]|nextafter|nexttoward|remainder|remquo|nan|modf|frexp|scalbln|ilogb|logb)[fl]?`)

/** Functions of math.h that are known, for `long double`, which they are not known for. */
const mathOfLongDouble = oneOfNames(`
  (sqrt|cbrt|fabs|exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh)l
  (asinh|acosh|atanh|floor|ceil|trunc|round|rint|nearbyint|fmod|fmin|fmax|fma|hypot|erf|erfc|copysign|ldexp|fdim)l`)

const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /^(rand|random|rand_r|drand48|lrand48|mrand48|erand48)$/,
    'its numbers come from a state that no kernel has: ' +
      'fill an array with them before, or write the generator with its state as a variable',
  ],
  [inputAndOutput, 'read and write files and text outside of the function; pass arrays'],
  [/^(qsort|bsearch)$/, 'write the loops that sort or search here'],
  [
    /^(clock|time|difftime|gettimeofday|clock_gettime|omp_get_wtime|getrusage)$/,
    'measure outside of the function; a time that is only printed is left out by itself',
  ],
  [/^(str|mem)\w+$/, 'write its loop here; of its kind memset, memcpy, memmove and strlen are known'],
  [
    /^(pthread_\w+|MPI_\w+|omp_\w+|cilk_\w+|tbb\w*)$/,
    'leave threads and messages out: plain loops are made parallel here',
  ],
  [
    /^(_mm\d*_\w+|v(ld|st|add|mul|fma|mla)\w*q?_\w+|__builtin_ia32_\w+)$/,
    'write what the vector instruction does as a loop over its elements',
  ],
  [/^(cublas|cudnn|cufft|cblas_|LAPACKE_|fftwf?_)\w*$/, 'write the loops of the library function, or call it outside'],
  [/^(realloc|reallocarray|new|delete)$/, 'give the array its greatest length'],
  [anyOf([missingMath, mathOfLongDouble]), 'this function of math.h is not here: write it as a helper in this file'],
]

/** What to do instead of calling `name`, which the file does not define. */
export const hintFor = (name: string): string =>
  kinds.find(([pattern]) => pattern.test(name))?.[1] ??
  'use functions of math.h, or define it in this file or in one that it includes'
