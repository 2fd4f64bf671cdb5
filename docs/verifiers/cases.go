// As a program: `go run verify.go cases.go CASES` says true or false for each line of a file; see README.md.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	cases, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(strings.TrimRight(string(cases), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		now, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			panic(err)
		}
		var decoded [4][]byte
		for i, field := range fields[1:] {
			if decoded[i], err = base64.StdEncoding.DecodeString(field); err != nil {
				panic(err)
			}
		}
		timestamp, signature, secret := string(decoded[1]), string(decoded[2]), string(decoded[3])
		fmt.Println(IsFromParley(decoded[0], timestamp, signature, secret, time.Unix(now, 0)))
	}
}
