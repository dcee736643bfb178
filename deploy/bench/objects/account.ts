/** Who signs in to the store that is measured, and its one bucket. */
export const account = { accessKey: 'BENCH', secretKey: 'the secret of the bench' }
export const bucket = 'media'
