import { createToolSearch, InvalidOptionError } from 'toolsearch'

try {
  createToolSearch({ activation: { definitionShare: 10 } })
} catch (error) {
  if (error instanceof InvalidOptionError) console.log(error.message)
}
