import { fileURLToPath } from 'node:url'
import { bundleProgram } from '../../../../testing/bundle-program.ts'

/**
 * The arguments with which Node runs a program that imports modules of the gateway.
 *
 * @param program its text, with the paths that `modulePath` returns
 */
export function childProgram(program: string): string[] {
  return ['--input-type=module', '--eval', bundleProgram(program)]
}

/** The path of a module of the gateway, such as `state/redis-state`, for the program of a child process. */
export function modulePath(module: string): string {
  return fileURLToPath(new URL(`../${module}.ts`, import.meta.url))
}
