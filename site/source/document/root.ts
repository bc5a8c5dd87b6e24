/** Where the site begins, seen from the page: addresses are relative to it. */
export const root = document.documentElement.dataset['root'] ?? './'
