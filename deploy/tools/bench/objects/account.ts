/** Account and single bucket of the measured store. */
export const account = { accessKey: 'BENCH', secretKey: 'the secret of the bench' }
export const bucket = 'media'
