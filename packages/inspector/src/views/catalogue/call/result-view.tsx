import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ToolCallReport } from '../../../api/contract.ts'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { formatCount, formatMany, formatMilliseconds } from '../../../parts/format.ts'
import { revealHidden } from '../../../parts/reveal-hidden.ts'
import { type ResultBlock, resultBlocks } from './result-blocks.ts'

const MAX_ROWS = 200

/** The result of a call: every part as what it is, and whether the tool reported an error. */
export function ResultView({ report }: { readonly report: ToolCallReport }): JSX.Element {
  const { result, milliseconds, tokens } = report
  const blocks = useMemo(() => resultBlocks(result), [result])
  const exact = JSON.stringify(result, null, 2)
  return (
    <section class="result" data-error={result.isError || undefined} aria-label="Result">
      <div class="result-head">
        <p class="result-title">{result.isError ? 'The call failed' : 'Result'}</p>
        <p class="muted">
          {formatMilliseconds(milliseconds)} · {formatMany(tokens, 'token')}
        </p>
        <CopyButton text={exact} what="the result as JSON" />
      </div>
      {blocks.length === 0 && <p class="muted">The result is empty.</p>}
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </section>
  )
}

function Block({ block }: { readonly block: ResultBlock }): JSX.Element {
  switch (block.kind) {
    case 'text':
      return (
        <pre class="result-text" dir="auto">
          {revealHidden(block.text)}
        </pre>
      )
    case 'json':
      return <pre class="result-text">{revealHidden(JSON.stringify(block.value, null, 2))}</pre>
    case 'image':
      return <img class="result-image" src={block.url} alt={`The tool returned ${block.type}`} />
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: the tool sends no captions
      return <audio class="result-audio" src={block.url} controls />
    case 'link':
      return <ResourceLink {...block} />
    case 'table':
      return <Table {...block} />
  }
}

function ResourceLink(link: ResultBlock & { readonly kind: 'link' }): JSX.Element {
  const { uri, name, note } = link
  const isWeb = /^https?:\/\//i.test(uri)
  return (
    <p class="result-link">
      {isWeb ? (
        <a href={uri} target="_blank" rel="noopener noreferrer">
          {revealHidden(name)}
        </a>
      ) : (
        <>
          {name !== uri && <b>{revealHidden(name)} </b>}
          <code>{revealHidden(uri)}</code>
        </>
      )}
      {note !== undefined && <span class="muted"> {revealHidden(note)}</span>}
    </p>
  )
}

function Table(table: ResultBlock & { readonly kind: 'table' }): JSX.Element {
  const { columns, rows } = table
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable with the keyboard
    <section class="result-table" tabIndex={0} aria-label={formatMany(rows.length, 'row')}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {revealHidden(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={column} data-number={typeof row[column] === 'number' || undefined}>
                  {revealHidden(cellText(row[column]))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p class="muted">and {formatCount(rows.length - MAX_ROWS)} more rows</p>
      )}
    </section>
  )
}

function cellText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
