import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(dist, file)).isFile(),
)

it('is smaller than 62 kB in total, gzipped', () => {
  const sizes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(62_000)
})

it('has no inline scripts or styles, and no URLs of other sites', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|https?:/)
})
