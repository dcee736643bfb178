import { listed, listings } from './listed.ts'

/**
 * Lists a folder with the named implementation and prints the result as JSON. A separate program, so that it can run
 * with fewer permissions than tests.
 */
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
