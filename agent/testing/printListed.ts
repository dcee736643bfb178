import { listed, listings } from './listed.ts'

/** Lists a folder in the way that is named and prints what it was shown as JSON: a program, to run with fewer rights than tests. */
const [way = '', root = ''] = process.argv.slice(2)
const list = listings[way]
if (!list) throw new Error(`There is no way to list that is called ${way}`)
const { rows, errors } = listed(root, list())
const plain = rows.map(({ parent_path, name, is_directory, size }) => [
  `${parent_path}${name}`,
  is_directory,
  `${size}`,
])
process.stdout.write(JSON.stringify({ rows: plain, errors }))
