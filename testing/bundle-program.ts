import { buildSync } from 'esbuild'

const bundles = new Map<string, string>()

/**
 * The text of a program with the modules of this repository that it imports, for a child process. Node 20
 * runs no TypeScript, and a loader in each process would take much longer than this.
 *
 * @param program imports modules by their path
 */
export function bundleProgram(program: string): string {
  const known = bundles.get(program)
  if (known !== undefined) return known
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    conditions: ['@toolsearch/source'],
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Our packages say that they have no side effects, but a test's module that is only imported has.
    ignoreAnnotations: true,
    // A whole program can be an argument.
    minifyWhitespace: true,
    write: false,
  })
  const { text } = outputFiles[0]!
  bundles.set(program, text)
  return text
}
