/** Words that say nothing about a tool, neither in a description nor in a query. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at be been being but by can could did do does for from had has have her here
  his how if in into is it its may me might must my of on or our shall she he should so some such
  than that the their them then there these they this those to too very via was we were what
  when where which while whom why will with would you your i am im ive lets let please
  want wants wanted need needs needed like help thanks thank hey hi hello also just using use used
  tool tools`.split(/\s+/),
)
