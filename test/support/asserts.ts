// Every test must assert something: a loop over an empty list, or a check that was skipped, is a failure.
import { beforeEach, expect } from 'vitest'

beforeEach(() => {
  expect.hasAssertions()
})
