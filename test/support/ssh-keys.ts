// Public keys made by ssh-keygen for tests, with the fingerprint it printed; their private halves are gone.

export const sshKeys = {
  ed25519: {
    line: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMJJ7RaglIoAPRddOVJFbsGpEkwh0b/XCNZtaKTQbOyR made for a test',
    fingerprint: 'SHA256:AbE2j3UWnjonW+6nIE73GgFnHdCWoWFe51UcwaCKG7Y',
  },
  ecdsa256: {
    line: 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMh6RWbBjiY/31K3HJp7yjcMYS0noqlDMwkp6W4WRJda4/TNp571ptXmLxfZYfwIrmiJRAfsCREQHTxPMsn+zmM= made for a test',
    fingerprint: 'SHA256:GaYzlZkindxWM1TUA5dPye9Fwo+GrsHXorAzD6d+8VY',
  },
  ecdsa384: {
    line: 'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBOwUujNfMQfrcREooFG87/hpXt/qM4fhAcKTZlVz0ckDn1Nuj0RDdSsaEgjjrZBupGpM1guKba262t/Jq4r4DO7tk8VykEnIH1lDOn1vrsF6UZ3nHRDKJVmWXrZiroLupQ== made for a test',
    fingerprint: 'SHA256:o6gaCCJEaQcVhdv8Aviua/BBkJG1v8kOKHR756k/4EM',
  },
  ecdsa521: {
    line: 'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAEWyueeO7/zdUZT3HlLBan4NSLPd262HAbABOSlCCEZN/SRJMFtlGfziY2oGM2fIAVGBpw5klQqK0U1iTjUzYhd6AB1/HCOB7Idhm+1rksElBHmA7tJ84K+ogo1a5J9l1v+OuaAszrr9xdnc0rtdutYa3EJLG6e4cA2i7o1V7JNaSCnIg== made for a test',
    fingerprint: 'SHA256:J3eajT6uUZysT7QNxRs8jjTbKyv1Rs+EEnIzeStJjKg',
  },
  rsa2048: {
    line: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDVmH4M70KlLuffEU0Owl83qFQ9yBV8HcRO2L9rW81oXoEnMKch/x/qGuv3bqULOW48ph8oDOVHWEZ9sy4EGruzOnsMg+NTgSk98p256vDQPw9pgjm22Wy9EUChtrUWosikTCP0z7/sibrFQFbTSlA/LU5+jv9KTOAvXcq7bv0dnQjgfg+rCotPyI/BlI/Z14xP+geLEcBcKJ7FbRkZHOQ7LjRJ0YcWCr6+YoHZRsQUMnBU+iYvuZBp3Ln0tLQ1fodkauBbr04RuyEuN+FyfTn+IfE+EzT74l6NORULyH+ZzlgGCObM3qUURi+T0F9agSokQfZjSrd1fHZEA6Sr4LLx made for a test',
    fingerprint: 'SHA256:ZhA3sRd7sRFsZxsxreaLvxrSEOibXH9U+aTUDyMDE0Q',
  },
} as const;

/** Too short to be accepted. */
export const weakRsaKey =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDI/nfFhaG3VtNjUrHUI/D+EwnMm7nPdFy45JrmfGWnZAX5Eqmj3HNUVxfLxhZhFVrtokoI5nRSBi99cUkqrsUktqrHYsuFlnAVQX4Ix6chAMqjpgS4ZKjXcsT5WkKBE+qJ7GRldmXKHjKi0MiIOMxNcwP1N0/WLz0Dmu9V5ydiyQ== made for a test';
