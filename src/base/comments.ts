// In: text with comments as C, C++ and WGSL have them. Out: the same with blanks in their place, so that places stay.
// The one idea: what is sought in a text by patterns is none of what its comments say. Strings are not known.

/** `text` with blanks for comments; lines stay as they are. */
export const blankComments = (text: string): string =>
  text.replace(/\/\/.*|\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
