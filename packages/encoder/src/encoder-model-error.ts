/** The weights file is missing, damaged or of another version. Searches continue without it. */
export class EncoderModelError extends Error {
  override readonly name = 'EncoderModelError'
  readonly code = 'bad_encoder_model'

  constructor(reason: string) {
    super(`Cannot read the weights of the encoder: ${reason}`)
  }
}
