export const title = 'Comparison'
