import { describe, expect, it } from 'vitest'
import { layoutTreemap } from './treemap-layout.ts'

const size = { width: 800, height: 300 }
const serverOf = (server: string, ...tokens: number[]) => ({
  server,
  tokens: tokens.reduce((sum, each) => sum + each, 0),
  share: 0,
  tools: tokens.map((each, at) => ({ name: `${server}__${at}`, tokens: each })),
})

describe('layoutTreemap', () => {
  it('sizes each server by its tokens, within the drawing', () => {
    const [big, small] = layoutTreemap([serverOf('a', 600, 200), serverOf('b', 200)], size)
    expect(big).toMatchObject({ server: 'a', tokens: 800, share: 0.8 })
    expect(big!.width * big!.height).toBeGreaterThan(3 * small!.width * small!.height)
    for (const { x, y, width, height } of [...big!.cells, ...small!.cells]) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(800)
      expect(y + height).toBeLessThanOrEqual(300)
    }
  })

  it('draws large tools individually and combines the small ones of a server', () => {
    const many = serverOf('many', 9000, ...Array.from({ length: 9999 }, () => 10))
    const [box] = layoutTreemap([many], size)
    expect(box!.cells.length).toBeLessThan(3000)
    expect(box!.cells[0]!.tool).toBe('many__0')
    expect(box!.cells.reduce((sum, { tools }) => sum + tools, 0)).toBe(10_000)
  })

  it('labels every cell of a typical setup', () => {
    const tokens = Array.from({ length: 85 }, (_, at) => Math.round(700 / (1 + at / 12)))
    const servers = [serverOf('company', ...tokens), serverOf('files', ...tokens.slice(-14))]
    const named = servers.map((server) => ({
      ...server,
      tools: server.tools.map((tool, at) => ({ ...tool, name: `${tool.name}__list_merge_${at}` })),
    }))
    const cells = layoutTreemap(named, { width: 830, height: 380 }).flatMap((box) => box.cells)
    expect(cells.filter(({ lines }) => lines === undefined)).toEqual([])
    expect(cells.filter(({ tool }) => tool !== undefined).length).toBeGreaterThan(60)
  })

  it('is empty without tools or width', () => {
    expect(layoutTreemap([], size)).toEqual([])
    expect(layoutTreemap([serverOf('a', 1)], { ...size, width: 0 })).toEqual([])
  })
})
