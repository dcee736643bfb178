// Browser tests use the machine's own Chromium; see deploy/setup/chromium.ts.
module.exports = { skipDownload: true }
