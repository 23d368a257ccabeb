import type { JSX } from 'preact'
import type { ToolReport } from '../../api/contract.ts'
import { formatCount } from '../../parts/format.ts'
import { ToolLink } from '../../parts/tool-link.tsx'

/** The tools that a search returns with a skill, and the files that an approval is bound to. */
export function SkillContents({
  skill: { files, tools },
}: {
  readonly skill: NonNullable<ToolReport['skill']>
}): JSX.Element {
  return (
    <>
      <h3>Tools that come along</h3>
      {tools.length === 0 ? (
        <p class="muted">It names no tools.</p>
      ) : (
        <ul class="plain">
          {tools.map((name) => (
            <li key={name}>
              <ToolLink name={name} />
            </li>
          ))}
        </ul>
      )}
      <h3>Files</h3>
      <ul class="plain">
        {files.map(({ path, size, digest }) => (
          <li key={path}>
            <code>{path}</code>{' '}
            <span class="muted">
              {formatCount(size)} bytes, {digest.slice(0, 19)}…
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
