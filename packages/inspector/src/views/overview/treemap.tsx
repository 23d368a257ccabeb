import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { CostReport, ServerReport } from '../../api/contract.ts'
import { BreakableName } from '../../parts/breakable-name.tsx'
import { formatCount, formatMany, formatShare } from '../../parts/format.ts'
import { hueOf } from '../../parts/hue-of.ts'
import { rowAfterKey } from '../../parts/visible-range.ts'
import { formatRoute } from '../../routes/route.ts'
import { type Box, layoutTreemap, type ServerBox, type ToolBox } from './treemap-layout.ts'

export interface TreemapProps {
  readonly cost: CostReport
  readonly servers: readonly ServerReport[]
  readonly width: number
  readonly height: number
}

/** A treemap of tokens by server and tool. One tab stop; the arrow keys move between tools. */
export function Treemap({ cost, servers, width, height }: TreemapProps): JSX.Element {
  const boxes = useMemo(
    () => layoutTreemap(cost.servers, { width, height }),
    [cost.servers, width, height],
  )
  const [active, setActive] = useState(0)
  const container = useRef<HTMLElement>(null)
  const count = boxes.reduce((sum, { cells }) => sum + cells.length, 0)

  function press(event: KeyboardEvent): void {
    const key = event.key.replace('Right', 'Down').replace('Left', 'Up')
    const next = rowAfterKey(key, Math.min(active, count - 1), { height: 80, rowHeight: 10, count })
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setActive(next)
    container.current?.querySelectorAll('a')[next]?.focus()
  }

  let before = 0
  return (
    <nav
      ref={container}
      class="treemap"
      aria-label="Tokens by server and tool. Use the arrow keys to move between tools."
      onKeyDown={press}
      style={{ height: `${height}px` }}
    >
      {boxes.map((box) => {
        const first = before
        before += box.cells.length
        return (
          <section
            key={box.server}
            aria-label={`${box.server}: ${formatMany(box.tokens, 'token')}, ${formatShare(box.share)}`}
            data-hue={hueOf(box.server, servers)}
          >
            <ServerFrame box={box} />
            {box.cells.map((cell, at) => (
              <ToolCell
                key={cell.tool ?? ''}
                cell={cell}
                server={box.server}
                isTabStop={first + at === Math.min(active, count - 1)}
              />
            ))}
          </section>
        )
      })}
    </nav>
  )
}

function ServerFrame({ box }: { readonly box: ServerBox }): JSX.Element {
  return (
    <div class="treemap-server" style={place(box)} aria-hidden="true">
      <b>{box.server}</b> <span>{formatCount(box.tokens)}</span>
    </div>
  )
}

interface ToolCellProps {
  readonly cell: ToolBox
  readonly server: string
  readonly isTabStop: boolean
}

function ToolCell({ cell, server, isTabStop }: ToolCellProps): JSX.Element {
  const name = cell.tool ?? `${formatMany(cell.tools, 'smaller tool')} of ${server}`
  const label = `${name}: ${formatMany(cell.tokens, 'token')}`
  const link = cell.tool === undefined ? { server, sort: 'tokens' } : { tool: cell.tool }
  return (
    <a
      class="treemap-tool"
      href={formatRoute('catalogue', link)}
      tabIndex={isTabStop ? 0 : -1}
      title={label}
      aria-label={label}
      style={place(cell)}
    >
      {cell.lines !== undefined && (
        <span style={{ '-webkit-line-clamp': cell.lines }}>
          {cell.lines === 1 ? cell.label : <BreakableName name={cell.label} />}
        </span>
      )}
    </a>
  )
}

function place({ x, y, width, height }: Box): Record<string, string> {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }
}
