/** A certificate of tests for localhost and 127.0.0.1, which nobody vouches for, and its key, which is no secret. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLQzvZlorALg6bKxa
nF1xyx7oRie5B847Kjw/EYKckk6hRANCAASCJ/Ht0w+gq14jurQDUsgr/9u6FsBx
izMpLO2RrYJrME+6LZmJaR78dtQOMQzElhwtGxLVXODl1CFmPyef2qtz
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUN+0svQtIDaHeXJfT1zwjVCixPbowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5Mzk0OVoYDzIxMjYxMDI4
MDkzOTQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASCJ/Ht0w+gq14jurQDUsgr/9u6FsBxizMpLO2RrYJrME+6LZmJaR78
dtQOMQzElhwtGxLVXODl1CFmPyef2qtzo28wbTAdBgNVHQ4EFgQUlsHJz6Na7sJz
jzsnYbveHus4EawwHwYDVR0jBBgwFoAUlsHJz6Na7sJzjzsnYbveHus4EawwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOXPbV5UuLdILhtPzltWhQbLZkJzCrH1zA/LfUIwhMvnAiEA
h7vFIzxECc+2f+XIwtETHItfWd/2zCJD0QqcD3UUbQU=
-----END CERTIFICATE-----
`,
}
