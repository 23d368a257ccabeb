export { type Encoder, type EncoderOptions, loadEncoder } from './load-encoder.ts'
