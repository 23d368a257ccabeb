/** The media that a function response of Gemini 3 or later can contain. It rejects all others. */
export const GEMINI_NESTABLE: RegExp = /^(image\/(png|jpeg|webp)|application\/pdf)$/
