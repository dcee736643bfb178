import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { isAbsolute } from 'node:path'
import { sentInBody } from './blocks.ts'
import { receivedInFile } from './destination.ts'
import { type Address, openEmbedded, type OpenOptions } from './embedded.ts'

/**
 * Settings of every connection. For `x IN (SELECT …)` the engine sorts the whole set on one thread to find matching
 * parts of a table, a microsecond per element. Sets larger than this are looked up by hash instead.
 */
const settingsOfAll = { use_index_for_in_with_subqueries_max_values: '10000' }

/** `url` is `http(s)://…` or `chdb:<absolute folder>`; `options` is only for the embedded engine. */
export function openAddress(url: string, options: OpenOptions): Address {
  if (/^https?:\/\//.test(url)) {
    return {
      connect: () => connectTo(url, options.settings),
      nice: 0,
      intoFile: receivedInFile,
      insertBlock: sentInBody,
      close: async () => {},
    }
  }
  const folder = url.replace(/^chdb:/, '')
  if (folder === url || !isAbsolute(folder)) {
    throw new TypeError(`ClickHouse's address must be http(s)://… or chdb:<absolute folder>, not ${url}`)
  }
  return openEmbedded(folder, { ...options, settings: { ...settingsOfAll, ...options.settings } })
}

/**
 * Responses are buffered, so a late error is an error and not part of the response. Progress headers keep long
 * statements from being mistaken for a dead server.
 */
const connectTo = (url: string, settings: Record<string, string> = {}): ClickHouseClient =>
  createClient({
    url,
    application: 'dataintell',
    // Failures are also thrown, and logged once by the caller.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: 1,
    request_timeout: 10 * 60_000,
    max_response_headers_size: 1024 ** 2,
    clickhouse_settings: {
      ...settingsOfAll,
      ...settings,
      wait_end_of_query: 1,
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '30000',
    },
  })
