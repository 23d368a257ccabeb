/** A fenced code block of a Markdown page. */
export interface CodeBlock {
  /** The line of the opening fence, starting at 1. */
  line: number
  language: string
  /** The content, with a line break at the end. */
  text: string
  /** The file named in a comment above the block, as a path in the repository. */
  sample: string | undefined
}

const BLOCK = /(?:^<!-- (?<sample>\S+) -->\n)?^```(?<language>\S*)\n(?<text>.*?)^```$/gms

/** Lists the code blocks of a page. A block that shows a file has `<!-- path -->` above it. */
export function readCodeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(BLOCK)].map(({ index, groups }) => ({
    line: page.slice(0, index).split('\n').length + (groups!.sample === undefined ? 0 : 1),
    language: groups!.language!,
    text: groups!.text!,
    sample: groups!.sample,
  }))
}

/** Replaces the content of every block that shows a file with the content of that file. */
export function fillCodeBlocks(page: string, read: (sample: string) => string): string {
  return page.replace(BLOCK, (block, sample: string | undefined, language: string) =>
    sample === undefined ? block : `<!-- ${sample} -->\n\`\`\`${language}\n${read(sample)}\`\`\``,
  )
}
