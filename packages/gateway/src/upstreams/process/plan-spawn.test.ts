import { describe, expect, it } from 'vitest'
import { batchLine, planSpawn } from './plan-spawn.ts'

const env = {
  Path: 'C:\\Windows;C:\\Program Files\\nodejs',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
  SystemRoot: 'C:\\Windows',
}
const files = new Set([
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'D:\\work\\bin\\serve.bat',
])
const windows = { platform: 'win32', exists: (file: string) => files.has(file) } as const
const CMD = {
  command: 'C:\\Windows\\System32\\cmd.exe',
  windowsVerbatimArguments: true,
}
const FLAGS = ['/d', '/s', '/v:off', '/e:on', '/c']

describe('planSpawn', () => {
  it('starts the program unchanged on systems other than Windows', () => {
    const request = { command: 'npx', args: ['-y', 'a & b'], env }
    expect(planSpawn(request, { ...windows, platform: 'linux' })).toEqual({
      command: 'npx',
      args: ['-y', 'a & b'],
      windowsVerbatimArguments: false,
    })
  })

  it('starts an .exe file by its full path on Windows', () => {
    const args = ['x.js', 'a & b']
    const plan = { command: 'C:\\Program Files\\nodejs\\node.exe', windowsVerbatimArguments: false }
    for (const command of ['node', 'node.exe', 'C:/Program Files/nodejs/node']) {
      expect(planSpawn({ command, args, env }, windows)).toEqual({ ...plan, args })
    }
  })

  it('runs a batch file through cmd.exe instead of the shell script next to it', () => {
    const line = '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "some-server""'
    for (const command of ['npx', 'npx.cmd']) {
      const request = { command, args: ['-y', 'some-server'], env }
      expect(planSpawn(request, windows)).toEqual({ ...CMD, args: [...FLAGS, line] })
    }
  })

  it('resolves a relative path against the working directory of the server', () => {
    const request = { command: '.\\bin\\serve', args: [], env, cwd: 'D:\\work' }
    expect(planSpawn(request, windows)).toEqual({
      ...CMD,
      args: [...FLAGS, '""D:\\work\\bin\\serve.bat""'],
    })
  })

  it('leaves a missing program for spawn to report', () => {
    const request = { command: 'uvx', args: ['a'], env }
    expect(planSpawn(request, windows)).toMatchObject({ command: 'uvx', args: ['a'] })
  })
})

describe('batchLine', () => {
  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ['a&calc.exe', '"a&calc.exe"'],
    ['a"&calc.exe', '"a""&calc.exe"'],
    ['a\\"&calc', '"a\\\\""&calc"'],
    ['C:\\dir\\', '"C:\\dir\\\\"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['^|<>()!', '"^|<>()!"'],
  ])('passes %j to the program and runs nothing else', (arg, written) => {
    expect(batchLine('x.cmd', [arg])).toBe(`""x.cmd" ${written}"`)
  })

  it.each(['a"b&c', '"', '""&x', '\\"|y', 'a" "b>c'])('keeps all of %j inside quotes', (arg) => {
    const [, written = ''] = /^""x\.cmd" (.*)"$/.exec(batchLine('x.cmd', [arg])) ?? []
    // cmd.exe has no escaped quotes: every quote opens or closes
    const outside = written.split('"').filter((_, at) => at % 2 === 0)
    expect(outside.join('')).toBe('')
  })

  it.each(['a\nb', 'a\rb', 'a\0b'])('rejects %j', (arg) => {
    expect(() => batchLine('x.cmd', [arg])).toThrow('line break')
  })
})
