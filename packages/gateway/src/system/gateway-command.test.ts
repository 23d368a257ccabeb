import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatewayCommand, typedCommand } from './gateway-command.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-start-'))

/** A folder as npx creates it, and the main file in it. */
function npxFolder(name: string, version: string) {
  const folder = join(root, '_npx', name)
  mkdirSync(folder, { recursive: true })
  const dependencies = { 'toolsearch-gateway': version }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  return join(folder, 'node_modules', 'toolsearch-gateway', 'dist', 'command', 'main.js')
}

const program = (main: string, startedAs = main) => ({ main, startedAs, execArgv: ['--import=x'] })

describe('the command that starts the gateway works before publishing', () => {
  it.each([
    ['a checkout', '/home/me/toolsearch/packages/gateway/dist/command/main.js'],
    ['a tarball in a project', '/p/node_modules/toolsearch-gateway/dist/command/main.js'],
    ['a global install', '/usr/lib/node_modules/toolsearch-gateway/dist/command/main.js'],
    ['npx with a tarball', npxFolder('a', 'file:../../../x/toolsearch-gateway-0.1.0.tgz')],
  ])('is the path for %s', (_, main) => {
    expect(gatewayCommand(program(main))).toEqual({ command: 'node', args: [main] })
  })

  it('is npx only if npx installed the package from the registry', () => {
    expect(gatewayCommand(program(npxFolder('b', '^0.1.0')))).toEqual({
      command: 'npx',
      args: ['-y', 'toolsearch-gateway'],
    })
  })

  it('includes the options of Node.js for source files', () => {
    expect(gatewayCommand(program('/x/src/cli/main.ts')).args).toEqual([
      '--import=x',
      '/x/src/cli/main.ts',
    ])
  })
})

describe('typedCommand', () => {
  it.each([
    [
      '/usr/lib/node_modules/toolsearch-gateway/dist/command/main.js',
      '/usr/bin/toolsearch',
      'toolsearch',
    ],
    ['/c/dist/command/main.js', '/c/dist/command/main.js', 'node /c/dist/command/main.js'],
    [
      '/my c/dist/command/main.js',
      '/my c/dist/command/main.js',
      'node "/my c/dist/command/main.js"',
    ],
    [npxFolder('c', '0.2.0'), `${root}/node_modules/.bin/toolsearch`, 'npx toolsearch-gateway'],
  ])('for %s started as %s is %s', (main, startedAs, expected) => {
    expect(typedCommand(program(main, startedAs))).toBe(expected)
  })
})
