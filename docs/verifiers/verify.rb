require 'openssl'

# raw_body: request.body.read. timestamp, signature: the two headers. secret: the whole whsec_... string.
def from_parley?(raw_body, timestamp, signature, secret, now = Time.now.to_i)
  return false unless timestamp.is_a?(String) && signature.is_a?(String)
  return false unless timestamp.b.match?(/\A[0-9]{1,12}\z/)
  return false if (now - timestamp.to_i).abs > 300

  digest = OpenSSL::HMAC.digest('SHA256', secret, "#{timestamp}.".b + raw_body.b)
  expected = "v1=#{[digest].pack('m0')}"
  OpenSSL.secure_compare(expected, signature)
end

# As a program: `ruby verify.rb CASES` says true or false for each line of a file; see README.md.
if __FILE__ == $PROGRAM_NAME
  File.foreach(ARGV[0], chomp: true) do |line|
    now, *fields = line.split("\t", -1)
    body, *texts = fields.map { |field| field.unpack1('m0') }
    puts from_parley?(body, *texts, now.to_i)
  end
end
# End of the program.
