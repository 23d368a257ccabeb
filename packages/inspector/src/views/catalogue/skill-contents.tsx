import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ToolReport } from '../../api/contract.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatMany } from '../../parts/format.ts'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { Answered } from '../../parts/states.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'

type Skill = NonNullable<ToolReport['skill']>

/** The tools that a search returns with a skill, and the files that an approval is bound to. */
export function SkillContents({
  name,
  skill: { files, tools },
}: {
  readonly name: string
  readonly skill: Skill
}): JSX.Element {
  return (
    <>
      <h3>Tools that come along</h3>
      {tools.length === 0 ? (
        <p class="muted">It names no tools that agents can use.</p>
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
        {files.map((file) => (
          <li key={file.path}>
            <FileItem name={name} file={file} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A file that is read from its server when somebody opens it. */
function FileItem({
  name,
  file: { path, size, digest },
}: {
  readonly name: string
  readonly file: Skill['files'][number]
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer(
    isOpen ? `file ${name} ${path} ${digest}` : undefined,
    (client, signal) => client.skillFile(name, path, signal),
  )
  return (
    <details class="skill-file" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{path}</code>{' '}
        <span class="muted">
          {formatMany(size, 'byte')}, {digest.slice(0, 19)}…
        </span>
      </summary>
      {isOpen && (
        <Answered answer={answer} what={path}>
          {(content) =>
            'text' in content ? (
              <pre class="raw" dir="auto">
                {revealHidden(content.text.replaceAll('\r\n', '\n'))}
              </pre>
            ) : (
              <p>{content.problem}</p>
            )
          }
        </Answered>
      )}
    </details>
  )
}
