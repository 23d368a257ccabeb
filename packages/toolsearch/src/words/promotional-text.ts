/** What servers write to be chosen, rather than to describe a tool. Matched against single sentences. */
const PROMOTION = new RegExp(
  [
    // Praise: the best tool for everything.
    /\b(?:best|most \w+|number one|ultimate|perfect)\b.{0,40}\b(?:tool|choice|option|solution|assistant)s?\b.{0,20}\b(?:in the world|ever|available|of all)\b/,
    /\b(?:for|handles?|do(?:es)?|answers?|solves?) (?:(?:every|any)thing|(?:every|any|all) (?:task|request|question|need|purpose)s?)\b/,
    /\b(?:all[- ]in[- ]one|universal) (?:assistant|tool|solution)\b|\breplacement (?:for|of)\b/,
    // Preference: this tool first, not others.
    /\b(?:before|over|than|instead of|replaces?) (?:using |calling )?(?:any |all |every |the )?others? (?:tool|server|function)s?\b/,
    /\b(?:always|must|should) (?:always )?(?:be )?(?:used?|call(?:ed)?|select(?:ed)?|choose|chosen|prefer(?:red)?|picke?d?)(?: this| me| it)?(?: tool| server)? (?:first|by default|before (?:any|every|all\b)|whatever|no matter)/,
    /\bother (?:tool|server|function)s? (?:is|are|must not|should not|cannot) (?:\w+ ){0,2}(?:used|called|deprecated|unsafe|broken|outdated|disabled|needed)\b|\bwhatever the (?:user|request|task)\b/,
    // Orders that a description has no reason to give.
    /\b(?:ignore|disregard|forget)\b.{0,25}\b(?:previous|all|your|system|other)\b.{0,20}\b(?:instruction|rule|tool|message)s?\b/,
    /\b(?:do not|don't|never|without) (?:tell|inform|mention|reveal|notify)(?:ing)?\b.{0,25}\b(?:user|human|anyone|person|this)/,
    /(?:^|[.!?\n])\W{0,3}(?:system|assistant|note to (?:the )?(?:assistant|model|ai|agent|llm)) ?:|<\/?(?:important|system|instructions?|admin)>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

const SENTENCE = /[^.!?\n。！？]+[.!?\n。！？]*/g

/**
 * The first sentence of a text that praises a tool, asks to be preferred to others, or gives orders to
 * the model. Undefined if there is none.
 */
export function promotionIn(text: string): string | undefined {
  return isPromotion(text) ? text.match(SENTENCE)?.find(isPromotion)?.trim() : undefined
}

/** The text without such sentences: they say nothing about what a tool does. */
export function withoutPromotion(text: string): string {
  if (!isPromotion(text)) return text
  return (text.match(SENTENCE) ?? []).filter((sentence) => !isPromotion(sentence)).join('')
}

function isPromotion(sentence: string): boolean {
  return PROMOTION.test(sentence)
}
