/** In place of a result that a history has lost. */
export const NO_RESULT = 'No result was recorded.'

/** In place of what came before a history that begins in the middle. */
export const LEFT_OUT = 'The conversation before this was left out.'
