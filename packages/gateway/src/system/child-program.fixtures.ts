import { fileURLToPath } from 'node:url'

/** `npm test` has just built the modules, which then load several times as fast as their source. */
const isBuilt = process.env.npm_lifecycle_event === 'test'

/**
 * The arguments with which Node runs a program that imports modules of the gateway.
 *
 * @param program its text, with the paths that `modulePath` returns
 */
export function childProgram(program: string): string[] {
  const loader = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
  return [...(isBuilt ? [] : loader), '--input-type=module', '--eval', program]
}

/** The path of a module of the gateway, such as `state/redis-state`, for the program of a child process. */
export function modulePath(module: string): string {
  const path = isBuilt ? `../../dist/${module}.js` : `../${module}.ts`
  return fileURLToPath(new URL(path, import.meta.url))
}
