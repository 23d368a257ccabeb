import type { JSX } from 'preact'
import type { ToolLine } from '../../api/contract.ts'
import { formatCount } from '../../parts/format.ts'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'

export const effectLabels: Record<ToolLine['effect'], string> = {
  read: 'read-only',
  write: 'writes',
  destructive: 'destructive',
}

export function ToolRow({ line }: { readonly line: ToolLine }): JSX.Element {
  const { name, server, summary, tokens, isChanged, isPinned, isSkill, withheld } = line
  return (
    <>
      <div class="row-main">
        <span class="row-name">{name}</span>
        {(withheld !== undefined || isChanged) && (
          <span class="tag" data-kind="changed">
            {withheld ?? 'changed'}
          </span>
        )}
        {isSkill && <span class="tag">skill</span>}
        {isPinned && <span class="tag">pinned</span>}
        <span class="row-tokens">
          {formatCount(tokens)} <span class="unit">tok</span>
        </span>
      </div>
      <div class="row-more">
        <ServerMark server={server} />
        <span class="row-summary">{revealHidden(summary) || 'No description'}</span>
      </div>
    </>
  )
}
