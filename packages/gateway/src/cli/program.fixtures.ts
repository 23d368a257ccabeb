import { fileURLToPath } from 'node:url'

/** The arguments with which Node runs the command from its source. */
const sourceProgram: readonly string[] = [
  '--conditions=@toolsearch/source',
  '--import',
  fileURLToPath(import.meta.resolve('tsx')),
  fileURLToPath(new URL('./main.ts', import.meta.url)),
]
const builtProgram = [fileURLToPath(new URL('../../dist/command/main.js', import.meta.url))]

/**
 * The arguments with which Node runs the command. `npm test` has just built it, and the built command
 * starts several times as fast as the source.
 */
export const program: readonly string[] =
  process.env.npm_lifecycle_event === 'test' ? builtProgram : sourceProgram
