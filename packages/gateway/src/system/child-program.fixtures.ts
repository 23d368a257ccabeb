import { fileURLToPath } from 'node:url'

/**
 * The arguments with which Node runs a program that imports modules of the gateway from their sources.
 *
 * @param program its text, with the paths that `modulePath` returns
 */
export function childProgram(program: string): string[] {
  const loader = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
  return [...loader, '--input-type=module', '--eval', program]
}

/** The path of a module of the gateway, such as `state/redis-state`, for the program of a child process. */
export function modulePath(module: string): string {
  return fileURLToPath(new URL(`../${module}.ts`, import.meta.url))
}
