import type { JSX } from 'preact'
import type { FileChange, McpTool, ToolReport } from '../api/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import type { DiffLine } from './diff-lines.ts'
import { DiffLines, DiffView } from './diff-view.tsx'
import { Answered } from './states.tsx'

export interface SkillDiffProps {
  readonly tool: Pick<ToolReport, 'name' | 'fingerprint' | 'definition'>
  /** The approved skill. */
  readonly before: McpTool
}

/** Shows what changed in a skill: fields of its frontmatter, and lines of its files. */
export function SkillDiff({ tool, before }: SkillDiffProps): JSX.Element {
  const { name, fingerprint, definition } = tool
  const answer = useAnswer(`changes ${name} ${fingerprint}`, (client, signal) =>
    client.skillChanges(name, signal),
  )
  const [old, current] = [frontmatterOf(before), frontmatterOf(definition)]
  const isSame = JSON.stringify(old) === JSON.stringify(current)
  return (
    <>
      {!isSame && (
        <>
          <h4>Frontmatter</h4>
          <DiffView before={old} after={current} />
        </>
      )}
      <Answered answer={answer} what="the files">
        {({ files = [] }) => files.map((file) => <FileDiff key={file.path} file={file} />)}
      </Answered>
    </>
  )
}

function FileDiff({
  file: { path, kind, diff = [], note },
}: {
  readonly file: FileChange
}): JSX.Element {
  return (
    <>
      <h4>
        <code>{path}</code> {kind !== 'changed' && <span class="tag">{kind}</span>}
      </h4>
      {diff.length > 0 && <DiffLines lines={diff.map(toLine)} />}
      {note !== undefined && <p>{note}</p>}
    </>
  )
}

/** A line of a unified diff. */
function toLine(line: string): DiffLine {
  const text = line.slice(1)
  if (line.startsWith('+')) return { kind: 'added', text }
  if (line.startsWith('-')) return { kind: 'removed', text }
  return line.startsWith('@@') ? { kind: 'gap', text: line } : { kind: 'same', text }
}

function frontmatterOf({ skill }: McpTool): unknown {
  return (skill as { readonly frontmatter?: unknown } | undefined)?.frontmatter ?? {}
}
