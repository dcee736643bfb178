export const title = 'Folder analytics'
