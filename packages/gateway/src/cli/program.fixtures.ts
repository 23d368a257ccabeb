import { fileURLToPath } from 'node:url'
import { isBuilt } from '../../../../testing/is-built.ts'

/** The arguments with which Node runs the command from its source. */
const sourceProgram: readonly string[] = [
  '--conditions=@toolsearch/source',
  '--import',
  fileURLToPath(import.meta.resolve('tsx')),
  fileURLToPath(new URL('./main.ts', import.meta.url)),
]
const builtProgram = [fileURLToPath(new URL('../../dist/command/main.js', import.meta.url))]

/** The arguments with which Node runs the command. Built, it starts several times as fast. */
export const program: readonly string[] = isBuilt ? builtProgram : sourceProgram
