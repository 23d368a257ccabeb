import { describe, expect, it } from 'vitest'
import { batchLine } from './batch-line.ts'
import { planSpawn } from './plan-spawn.ts'

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
  it('starts a program as it is written, but for Windows', () => {
    const wish = { command: 'npx', args: ['-y', 'a & b'], env }
    expect(planSpawn(wish, { ...windows, platform: 'linux' })).toEqual({
      command: 'npx',
      args: ['-y', 'a & b'],
      windowsVerbatimArguments: false,
    })
  })

  it('starts an .exe file of Windows by its path', () => {
    const args = ['x.js', 'a & b']
    const plan = { command: 'C:\\Program Files\\nodejs\\node.exe', windowsVerbatimArguments: false }
    for (const command of ['node', 'node.exe', 'C:/Program Files/nodejs/node']) {
      expect(planSpawn({ command, args, env }, windows)).toEqual({ ...plan, args })
    }
  })

  it('runs a batch file with cmd.exe, and not the file for other shells beside it', () => {
    const line = '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "some-server""'
    for (const command of ['npx', 'npx.cmd']) {
      const wish = { command, args: ['-y', 'some-server'], env }
      expect(planSpawn(wish, windows)).toEqual({ ...CMD, args: [...FLAGS, line] })
    }
  })

  it('finds a path from the folder of the server', () => {
    const wish = { command: '.\\bin\\serve', args: [], env, cwd: 'D:\\work' }
    expect(planSpawn(wish, windows)).toEqual({
      ...CMD,
      args: [...FLAGS, '""D:\\work\\bin\\serve.bat""'],
    })
  })

  it('leaves what is not there for spawn to tell', () => {
    const wish = { command: 'uvx', args: ['a'], env }
    expect(planSpawn(wish, windows)).toMatchObject({ command: 'uvx', args: ['a'] })
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
  ])('gives %j to the program and to nobody else', (arg, written) => {
    expect(batchLine('x.cmd', [arg])).toBe(`""x.cmd" ${written}"`)
  })

  it.each(['a"b&c', '"', '""&x', '\\"|y', 'a" "b>c'])('keeps %j inside quotes', (arg) => {
    const [, written = ''] = /^""x\.cmd" (.*)"$/.exec(batchLine('x.cmd', [arg])) ?? []
    // cmd.exe knows no escaped quotes: every one of them opens or closes
    const outside = written.split('"').filter((_, at) => at % 2 === 0)
    expect(outside.join('')).toBe('')
  })

  it.each(['a\nb', 'a\rb', 'a\0b'])('refuses %j', (arg) => {
    expect(() => batchLine('x.cmd', [arg])).toThrow('line break')
  })
})
