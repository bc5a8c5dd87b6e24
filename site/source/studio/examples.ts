// All examples, loaded after the page stands.
export { examples } from 'virtual:examples'
