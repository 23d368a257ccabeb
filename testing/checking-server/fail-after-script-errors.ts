import { afterEach } from 'vitest'
import { takeScriptErrors } from './script-errors.ts'

// Runs in each test file: a test fails if its script has a reply that the model cannot send, even if a framework
// answers the failed request with text.
afterEach(() => {
  const [error] = takeScriptErrors()
  if (error !== undefined) throw error
})
